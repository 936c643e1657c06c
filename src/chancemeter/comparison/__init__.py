"""Which of several models is better, by any measure, and how sure that is."""

"""Reports: results laid out once as a document, and written as HTML, text, Markdown, LaTeX, JSON."""

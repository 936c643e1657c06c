"""Data sets × classifiers × folds: planned, run without loss, and read back as one grid."""

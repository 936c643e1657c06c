"""Experiments: data sets × classifiers × folds, kept whole, and read again under any measure."""

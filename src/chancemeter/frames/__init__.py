"""From rows to counts: arrays, frames, files and engines, each reduced to distinct rows."""

"""What a user writes; mypy --strict has to accept it (`test_catalogue_coverage`)."""

import chancemeter as cm

kappa: float = cm.kappa([[1, 2], [3, 4]])
zero: float = cm.kappa([[9, 0], [0, 0]], undefined=0)
f2 = cm.f_score([[1, 2], [3, 4]], beta=2)
table: cm.Table = cm.table([[1, 2], [3, 4]], labels=["yes", "no"])
scores: cm.Scores = cm.score(table, ["kappa", "f_score(beta=2)@macro"])
keys: list[str] = [m.key for m in cm.every()]
named: cm.Measure[...] = cm.get("f1_macro")

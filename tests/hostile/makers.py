"""Small files that stock readers get wrong, and what is in them."""

from __future__ import annotations

import gzip
from pathlib import Path

#: Name, bytes, and the rows that are meant; None for a missing value.
CSV = {
    "missing words": (b"t,p\nNA,null\nNone,n/a\n,NaN\n", [("NA", "null"), ("None", "n/a"), (None, "NaN")]),
    "leading zeros": (b"t,p\n007,7\n+1,1\n1.0,1\n", [("007", "7"), ("+1", "1"), ("1.0", "1")]),
    "booleans": (b"t,p\nTrue,TRUE\n1,true\n", [("True", "TRUE"), ("1", "true")]),
    "large integers": (b"t,p\n9007199254740993,1\n", [("9007199254740993", "1")]),
    "quoted line breaks": (b't,p\n"a\nb",c\n"x\r\ny",z\n', [("a\nb", "c"), ("x\r\ny", "z")]),
    "doubled quotes": (b't,p\n"say ""hi""",c\n"""",d\n', [('say "hi"', "c"), ('"', "d")]),
    "quotes in the middle": (b't,p\na"b,c\n', [('a"b', "c")]),
    "delimiters in quotes": (b't,p\n"a,b",c\n', [("a,b", "c")]),
    "blanks": (b"t,p\n x,x \n  ,y\n", [(" x", "x "), ("  ", "y")]),
    "windows lines": (b"t,p\r\na,b\r\nc,d\r\n", [("a", "b"), ("c", "d")]),
    "no last line end": (b"t,p\na,b", [("a", "b")]),
    "byte order mark": (b"\xef\xbb\xbft,p\na,b\n", [("a", "b")]),
    "mixed line ends": (b"t,p\na,b\r\nc,d\ne,f\r\n", [("a", "b"), ("c", "d"), ("e", "f")]),
    "lone carriage returns": (b"t,p\ra,b\rc,d\r", [("a", "b"), ("c", "d")]),
    "one carriage return": (b"t,p\na,b\rc,d\n", [("a", "b"), ("c", "d")]),
    "blank lines": (b"t,p\na,b\n\nc,d\n\n", [("a", "b"), ("c", "d")]),
    "blank lines first": (b"\n\nt,p\na,b\n", [("a", "b")]),
    "dates": (b"t,p\n2020-01-01,2020-1-1\n", [("2020-01-01", "2020-1-1")]),
    "type change": (b"t,p\n" + b"1,1\n" * 3 + b"x,1\n", [("1", "1")] * 3 + [("x", "1")]),
    "unicode forms": ("t,p\né,e\u0301\n".encode(), [("é", "e\u0301")]),
    "comment signs": (b"t,p\n#a,%b\n", [("#a", "%b")]),
    "backslashes": (b"t,p\na\\,\\N\n", [("a\\", "\\N")]),
    "formulas": (b"t,p\n=1+1,@x\n", [("=1+1", "@x")]),
    "odd spaces": ("t,p\na\x0bb,c\x0cd\n\u2028,\x85\n".encode(), [("a\x0bb", "c\x0cd"), ("\u2028", "\x85")]),
    "line break in the header": (b'"t","p\r\nx"\na,b\n', [("a", "b")]),
    "quoted nothing": (b't,p\n"",b\na,\n', [(None, "b"), ("a", None)]),
}  # fmt: skip

#: Name, file name, bytes, the code of the error, and words that it says.
BAD = {
    "ragged": ("x.csv", b"t,p\na,b\nc\nd,e\n", "CM004", ["x.csv:3", "1 field where"]),
    "too many fields": ("x.csv", b"t,p\na,b\nc,d,e\n", "CM004", ["x.csv:3", "3 fields"]),
    "ragged after a line break": ("x.csv", b't,p\n"a\nb",b\nc\n', "CM004", ["x.csv:4"]),
    "open quote": ("x.csv", b't,p\na,b\n"c,d\ne,f\n', "CM004", ["x.csv:3", "quote"]),
    "text after a quote": ("x.csv", b't,p\n"a"b,c\n', "CM004", ["x.csv:2", "quote"]),
    "zero bytes": ("x.csv", b"t,p\na\x00b,c\n", "CM003", ["zero bytes", "utf-16"]),
    "late zero bytes": ("x.csv", b"t,p\n" + b"a,b\n" * 300_000 + b"a\x00,b\n", "CM004", ["zero bytes"]),
    "latin-1": ("x.csv", b"t,p\na,b\n\xe9,c\n", "CM004", ["x.csv:3", "0xe9", "latin-1"]),
    "utf-16": ("x.csv", "t,p\na,b\n".encode("utf-16"), "CM004", ['encoding="utf-16"']),
    "semicolons": ("x.csv", b"t;p\na;b\n", "CM004", ["';'", "delimiter"]),
    "header only": ("x.csv", b"t,p\n", "CM002", ["no rows"]),
    "nothing": ("x.csv", b"", "CM002", ["0 bytes"]),
    "line ends only": ("x.csv", b"\n\n\n", "CM002", ["empty"]),
    "no bytes of parquet": ("x.parquet", b"", "CM002", ["0 bytes"]),
    "parquet by name": ("x.parquet", b"t,p\na,b\n", "CM003", ["something else"]),
    "parquet cut short": ("x.parquet", b"PAR1\x15\x00\x15", "CM001", ["cut short"]),
    "csv by name": ("x.csv", b"PAR1\x15\x00\x15\x00", "CM003", ["is a Parquet file"]),
    "gzip by name": ("x.csv", gzip.compress(b"t,p\na,b\n"), "CM003", ["is a gzip file"]),
    "not gzip": ("x.csv.gz", b"t,p\na,b\n", "CM003", ["something else"]),
    "gzip cut short": ("x.csv.gz", gzip.compress(b"t,p\n" + bytes(range(97, 123)) * 50)[:-20], "CM001", ["cut short"]),
    "pickle": ("x.pkl", b"\x80\x04\x95", "CM003", ["pickle", "never opened"]),
    "pickle by another name": ("x.parquet", b"\x80\x04\x95", "CM003", ["pickle"]),
    "zip": ("x.xlsx", b"PK\x03\x04", "CM003", ["'.xlsx'", "zip"]),
    "no ending": ("x", b"t,p\na,b\n", "CM003", ["no ending"]),
    "broken json": ("x.jsonl", b'{"t":"a"}\n{"t":"b"\n{"t":"c"}\n', "CM004", ["x.jsonl:2"]),
    "json of numbers": ("x.jsonl", b'{"t":"a"}\n3\n', "CM004", ["x.jsonl:2", "not an object"]),
    "json in an array": ("x.jsonl", b'[{"t":"a"},\n{"t":"b"}]\n', "CM004", ["x.jsonl:1"]),
    "broken arrow": ("x.arrow", b"ARROW1\x00\x00abc", "CM001", ["cut short"]),
    "arff with dates": ("x.arff", b"@relation r\n@attribute t date\n@data\n", "CM004", ["x.arff:2", "date"]),
    "arff in tables": ("x.arff", b"@relation r\n@attribute t relational\n@data\n", "CM004", ["relational"]),
    "sparse arff": ("x.arff", b"@relation r\n@attribute t {a,b}\n@data\n{0 a}\n", "CM004", ["x.arff:4", "sparse"]),
    "arff label": ("x.arff", b"@relation r\n@attribute t {a,b}\n@data\nc\n", "CM107", ["x.arff:4", "'c'"]),
    "arff number": ("x.arff", b"@relation r\n@attribute t numeric\n@data\nc\n", "CM004", ["x.arff:4", "'c'"]),
    "arff ragged": ("x.arff", b"@relation r\n@attribute t {a,b}\n@data\na,b\n", "CM004", ["2 values"]),
    "arff without data": ("x.arff", b"@relation r\n@attribute t {a,b}\n", "CM004", ["@data"]),
}  # fmt: skip


def write(folder: Path, name: str, raw: bytes) -> Path:
    """A file with these bytes."""
    path = folder / name
    path.write_bytes(raw)
    return path

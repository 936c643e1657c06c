"""OpenML from a server of our own on this machine: fetched once, checked, and what goes wrong."""

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from chancemeter.errors import InputError
from chancemeter.experiments import openml
from chancemeter.experiments.plan import load, plan_of

ARFF = (
    "@relation play\n@attribute id numeric\n@attribute wind {weak,strong}\n"
    "@attribute heat real\n@attribute play {no,yes}\n@data\n"
    + "".join(
        f"{i},{'weak' if i % 3 else 'strong'},{i / 7},{'no' if i % 2 else 'yes'}\n"
        for i in range(20)
    )
).encode()


class Server:
    """Answers as OpenML does, or as it should not; counts what it was asked."""

    def __init__(self):
        self.asked, self.about, self.status, self.cut, self.data = [], {}, 200, False, ARFF
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                body = outer.data if self.path == "/file.arff" else outer.description()
                self.send_response(outer.status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if outer.cut else body)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def description(self):
        about = {
            "url": f"{self.address}/file.arff",
            "md5_checksum": hashlib.md5(ARFF).hexdigest(),
            "default_target_attribute": "play",
            "row_id_attribute": "id",
        }
        return json.dumps({"data_set_description": about | self.about}).encode()


@pytest.fixture
def server(monkeypatch):
    found = Server()
    monkeypatch.setenv("CHANCEMETER_OPENML", found.address)
    monkeypatch.setattr(openml, "_PAUSES", (0.0, 0.0))
    yield found
    found.http.shutdown()
    found.http.server_close()


def read(tmp_path, **spec):
    data = {"play": {"openml": 3, **spec}}
    classifiers = {"tree": {"use": "sklearn.tree.DecisionTreeClassifier"}}
    design = {"folds": 2}
    content = {"data": data, "classifiers": classifiers, "openml_cache": "kept", "design": design}
    return load(plan_of(content, tmp_path)).data[0]


def fails(tmp_path, words):
    with pytest.raises(InputError, match="CM708") as caught:
        read(tmp_path)
    assert words in str(caught.value)
    assert "offline: put the file in ARFF at" in str(caught.value)
    assert not (tmp_path / "kept" / "3" / "data.arff").exists()


def test_fetched_once(tmp_path, server):
    data = read(tmp_path)
    assert data.attributes == ("wind", "heat")
    assert data.labels == ("no", "yes")
    assert server.asked == ["/api/v1/json/data/3", "/file.arff"]
    assert read(tmp_path).fingerprint == data.fingerprint
    assert len(server.asked) == 2
    assert read(tmp_path, target="wind", drop=["play"]).attributes == ("heat",)


def test_offline_with_a_file_put_there(tmp_path, monkeypatch):
    monkeypatch.setenv("CHANCEMETER_OPENML", "http://127.0.0.1:1")
    monkeypatch.setattr(openml, "_PAUSES", (0.0,))
    fails(tmp_path, "cannot be reached")
    folder = tmp_path / "kept" / "3"
    folder.mkdir(parents=True)
    (folder / "data.arff").write_bytes(ARFF)
    (folder / "about.json").write_text("{}")
    assert read(tmp_path).attributes == ("id", "wind", "heat")
    (folder / "about.json").write_text("{")  # half a file is no file
    with pytest.raises(InputError, match="CM708"):
        read(tmp_path)


def test_what_is_cut_off_is_tried_again(tmp_path, server):
    server.cut = True
    fails(tmp_path, "the answer is not whole")
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("change", "words", "asked"),
    [
        ({"status": 404}, "no such data set", 1),
        ({"status": 412}, "no such data set", 1),
        ({"status": 500}, "OpenML refuses", 3),
        ({"data": ARFF[:-40]}, "is not whole", 2),
        ({"about": {"url": "file:///etc/passwd"}}, "no address of a file", 1),
        ({"description": lambda: b"<html>"}, "no description of a data set", 1),
        ({"description": lambda: b"[]"}, "no description of a data set", 1),
    ],
)
def test_what_goes_wrong(tmp_path, server, change, words, asked):
    for name, value in change.items():
        setattr(server, name, value)
    fails(tmp_path, words)
    assert len(server.asked) == asked


def test_only_the_web_is_asked(tmp_path, monkeypatch):
    monkeypatch.setenv("CHANCEMETER_OPENML", "file:///")
    with pytest.raises(InputError, match="CM708"):
        read(tmp_path)

"""`chancemeter compare` as people meet it."""

import json

import pytest
from snapshot import matches

THREE = "triage.csv --pred tree --pred bayes --pred logreg"
VALUES = "model,dataset,accuracy,kappa\n"
GAP = VALUES + "a,d1,.9,.8\nb,d1,.8,.7\na,d2,.9,.8\nb,d2,,.7\na,d3,.9,.8\nb,d3,.7,.6\n"
TWICE = VALUES + "a,d1,.9,.8\nb,d1,.8,.7\na,d1,.9,.8\n"
SAME = "y_true,one,two\n" + "a,a,a\nb,b,b\na,b,b\nb,b,b\n" * 8
FIRST, SECOND = "id,y_true,y_pred\n1,a,a\n2,b,b\n3,a,b\n", "id,y_true,y_pred\n1,a,a\n2,a,b\n3,a,b\n"

SCREENS = {
    "compare": "compare forest.csv logreg.csv",
    "compare-method": "compare forest.csv logreg.csv --measure kappa --method posterior --draws 2000",
    "compare-unpaired": "compare forest.csv logreg.csv --unpaired --measure accuracy --measure mcc",
    "compare-three": f"compare {THREE} --fold fold --rope 0.02",
    "compare-groups": "compare triage.csv --pred tree --pred bayes --group fold --level 0.9",
    "compare-a-class-less": "compare two.csv three.csv --unpaired --measure kappa",
    "compare-folds-of-one-class": "compare sorted.csv --pred one --pred two --fold f --measure kappa",
    "compare-values-equal": "compare equal.csv --values",
    "compare-long-form": "compare long.csv --model m --id case --measure kappa",
    "compare-long-form-unpaired": "compare long.csv --model m --unpaired --measure kappa",
    "compare-power": "compare triage.csv --pred tree --pred bayes --power .8 --measure kappa",
    "compare-power-unpaired": "compare forest.csv logreg.csv --unpaired --power .9 --measure mcc",
    "compare-power-identical": "compare same.csv --pred one --pred two --measure kappa --power .8",
    "score-tests": "score logreg.csv kappa recall --tests",
    "score-folds": "score triage.csv --pred tree --fold fold --interval fold-t kappa accuracy",
    "compare-identical": "compare same.csv --pred one --pred two --measure accuracy",
    "compare-values": "compare ben_david_2007.csv --values",
    "compare-control": "compare ben_david_2007.csv --values --control SMO --rope .01 --measure kappa",
    "compare-slices": "compare triage.csv --pred tree --pred bayes --by fold --measure kappa "
    "--measure accuracy",
    "compare-gap-left-out": "compare gap.csv --values --complete-only --measure accuracy",
}
FILES = {"same": SAME, "gap": GAP, "twice": TWICE, "first": FIRST, "second": SECOND}


@pytest.mark.parametrize("name", SCREENS)
def test_screens(run, name):
    code, out, err = run(SCREENS[name], **FILES)
    assert code == 0, err
    matches(name, f"$ chancemeter {SCREENS[name]}\n{out}{err}")


WRONG = {
    "compare-wrong-one-model": "compare forest.csv",
    "compare-wrong-nothing": "compare",
    "compare-wrong-same-name": "compare forest.csv forest.csv",
    "compare-wrong-cases": "compare first.csv second.csv",
    "compare-wrong-lengths": "compare forest.csv first.csv",
    "compare-wrong-level": "compare forest.csv logreg.csv --level 1",
    "compare-wrong-rope": "compare forest.csv logreg.csv --rope -1",
    "compare-wrong-rope-without-folds": "compare forest.csv logreg.csv --rope .01",
    "compare-wrong-of-classes": "compare forest.csv logreg.csv --measure recall",
    "compare-wrong-values": "compare forest.csv --values",
    "compare-wrong-gap": "compare gap.csv --values",
    "compare-wrong-twice": "compare twice.csv --values",
    "compare-wrong-control": "compare ben_david_2007.csv --values --control smo",
    "compare-wrong-control-without-data-sets": "compare forest.csv logreg.csv --control forest",
    "compare-wrong-one-data-set": "compare one.csv --values",
    "compare-wrong-group": "compare alone.csv --pred one --pred two --group patient",
    "compare-wrong-other-classes": "compare two.csv other.csv --unpaired",
    "compare-wrong-long-form": "compare long.csv --model m",
    "score-wrong-folds": "score triage.csv --pred tree --interval fold-t",
    "compare-wrong-power": "compare forest.csv logreg.csv --power 80",
    "score-wrong-weights-tested": "score weighted.csv --weight w --tests",
    "compare-wrong-fold": "compare alone.csv --pred one --pred two --fold patient",
}
FILES |= {
    "one": VALUES + "a,d1,.9,.8\nb,d1,.8,.7\n",
    "two": "y_true,y_pred\n" + "a,a\nb,b\na,b\nb,b\n" * 5,
    "three": "y_true,y_pred\n" + "a,a\nb,b\na,b\nc,b\n" * 5,
    "other": "y_true,y_pred\n" + "x,x\ny,y\nx,y\ny,y\n" * 5,
    "sorted": "y_true,one,two,f\n" + "a,a,a,1\na,a,b,2\n" * 4 + "b,b,a,3\na,b,b,3\n" * 4,
    "equal": VALUES + "a,d1,.5,.5\nb,d1,.5,.5\na,d2,.4,.4\nb,d2,.4,.4\n",
    "long": "m,case,y_true,y_pred\n"
    + "".join(
        f"{m},{i},{'aab'[i % 3]},{'abb'[i % p]}\n"
        for m, p in (("k", 3), ("l", 2))
        for i in range(30)
    ),
    "weighted": "y_true,y_pred,w\na,a,.5\nb,a,1\nb,b,2\n",
    "alone": "y_true,one,two,patient\n" + "a,a,b,7\nb,b,b,7\na,b,a,7\n" * 5,
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes(run, name):
    code, out, err = run(WRONG[name], **FILES)
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    matches(name, f"$ chancemeter {WRONG[name]}\n{err}")


def test_json_holds_everything(run):
    code, out, _ = run(f"compare {THREE} --fold fold --rope 0.02 --measure accuracy,kappa --json")
    assert code == 2  # a measure is named once for each --measure
    code, out, _ = run(f"compare {THREE} --fold fold --rope 0.02 --measure kappa --json")
    found = json.loads(out)
    assert code == 0
    assert set(found) >= {"models", "differences", "rankings", "flips", "these_algorithms"}
    assert found["models"]["tree"]["kappa"]["method"] == "smoothed"
    assert len(found["bayesian"]["kappa"]) == 3
    assert abs(sum(found["rankings"]["kappa"]["tree"]["chances"]) - 1) < 1e-9
    first = found["differences"][0]
    assert first["interval"][0] < first["value"] < first["interval"][1]
    assert first["signature"].startswith("kappa|difference|smoothed|level:0.95|")


def test_json_of_data_sets(run):
    code, out, _ = run("compare ben_david_2007.csv --values --json")
    found = json.loads(out)["measures"]["kappa"]
    assert code == 0
    assert len(found["data_sets"]) == 15
    assert abs(found["critical_difference"]["difference"] - 1.5749) < 1e-3
    assert len(found["pairs"]["pairs"]) == 10


def test_files_matched_by_id_are_the_same_cases(run):
    shuffled = "id,y_true,y_pred\n3,a,b\n1,a,b\n2,b,b\n"
    code, _, err = run("compare first.csv other.csv", first=FIRST, other=shuffled)
    assert code == 2
    assert "--id" in err
    code, out, _ = run(
        "compare first.csv other.csv --id id --measure accuracy", first=FIRST, other=shuffled
    )
    assert code == 0
    assert out.startswith("3 cases, the same for all models")


def test_the_order_of_models_changes_signs_only(run):
    asked = "compare {} {} --measure kappa --json"
    one = json.loads(run(asked.format("forest.csv", "logreg.csv"))[1])["differences"][0]
    two = json.loads(run(asked.format("logreg.csv", "forest.csv"))[1])["differences"][0]
    assert one["value"] == pytest.approx(-two["value"])
    assert one["interval"] == pytest.approx([-x for x in reversed(two["interval"])])
    assert one["p"] == pytest.approx(two["p"])

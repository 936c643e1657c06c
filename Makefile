# One definition of each task; hooks and CI call these. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto
# a comma where a comma would separate
, := ,

.PHONY: demo test lint bench docs clean

define install
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable "$(1)"
endef

demo:  ## the main job on two example files
	$(call install,.)
	cd examples && ../$(BIN)/chancemeter score forest.csv && ../$(BIN)/chancemeter score logreg.csv --chances
	$(BIN)/chancemeter explain kappa

test:  ## every test
	$(call install,.[test])
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps irrCAC
	$(BIN)/python -m pytest -n $(JOBS)

lint:  ## style, types, who imports whom, sizes
	$(call install,.[lint])
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_size.py

bench:  ## speed beside the peers, and simulations (half an hour), written to benchmarks/RESULTS.md and docs
	$(call install,.[bench])
	$(BIN)/python benchmarks/run.py

docs:  ## the site in site/, and what the repository keeps of what is made from the code
	$(call install,.[docs$(,)test])
	$(BIN)/python tools/measure_pages.py
	$(BIN)/python tools/curve_figures.py
	$(BIN)/python tools/make_stub.py
	cd tests && ../$(BIN)/python agreement.py > ../docs/agreement.md
	$(BIN)/python tests/study_page.py
	$(BIN)/python tools/doc_pictures.py
	$(BIN)/python tools/make_site.py

clean:
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis

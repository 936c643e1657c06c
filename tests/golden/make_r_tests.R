# Writes what R's own stats say of the classical tests, for inputs that it makes itself.
#
#   Rscript tests/golden/make_r_tests.R tests/golden/r_tests.json

here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source(file.path(here, "json.R"))
set.seed(20240301, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
said <- function(test) list(statistic = test$statistic[[1]], p = test$p.value)

# Tables of two models on the same rows ---------------------------------------------------------

by_rows <- function(...) matrix(c(...), sqrt(length(c(...))), byrow = TRUE)
pairs <- list(by_rows(60, 15, 5, 20), by_rows(794, 86, 150, 570), by_rows(10, 3, 3, 4),
              by_rows(5, 1, 0, 9), by_rows(1e9, 4e5, 4.01e5, 1e8))
square <- lapply(rep(3:6, each = 4), function(k) matrix(1 + rpois(k * k, 8), k))
mcnemar <- lapply(c(pairs, square), function(cells) list(
  table = cells,
  plain = c(said(mcnemar.test(cells, correct = FALSE)),
            df = mcnemar.test(cells, correct = FALSE)$parameter[[1]]),
  corrected = said(mcnemar.test(cells, correct = TRUE)),
  exact = binom.test(cells[1, 2], cells[1, 2] + cells[2, 1])$p.value
))

# P[Acc > NIR], as caret calls it ---------------------------------------------------------------

above <- lapply(1:12, function(i) {
  cells <- matrix(rpois(4, c(40, 6, 5, 15)), 2)
  right <- sum(diag(cells))
  rate <- max(rowSums(cells)) / sum(cells)
  list(table = cells, p = binom.test(right, sum(cells), rate, alternative = "greater")$p.value)
})

# Values in pairs -------------------------------------------------------------------------------

paired <- lapply(c(5, 8, 10, 15, 30), function(n) {
  a <- round(runif(n, 0.6, 0.9), 4)
  b <- round(a + rnorm(n, 0.01, 0.03), 4)
  t <- t.test(a, b, paired = TRUE)
  list(a = I(a), b = I(b), t = c(said(t), low = t$conf.int[1], high = t$conf.int[2]),
       wilcoxon = wilcox.test(a, b, paired = TRUE, exact = TRUE)$p.value,
       sign = binom.test(sum(a > b), n)$p.value)
})

# Models on data sets ---------------------------------------------------------------------------

grids <- lapply(list(c(3, 5), c(4, 12), c(5, 15), c(6, 30), c(2, 9)), function(size) {
  # Few digits: ties.
  values <- matrix(round(runif(prod(size), 0.6, 0.9), if (size[1] %% 2) 1 else 2), size[1])
  list(values = values, friedman = said(friedman.test(t(values))))
})

# Many tests ------------------------------------------------------------------------------------

adjusted <- lapply(c(1, 2, 3, 6, 10, 25), function(m) {
  p <- round(runif(m)^2, 3)
  ways <- c("holm", "hommel", "hochberg", "bonferroni", "BH")
  c(list(p = I(p)), sapply(ways, function(how) I(p.adjust(p, how)), simplify = FALSE))
})

# Tails -----------------------------------------------------------------------------------------

q <- c(0.5, 1, 2, 3, 3.5, 4, 5, 6)
ranges <- lapply(c(2, 3, 5, 10, 20), function(k) list(
  k = k, q = I(q), above = I(ptukey(q, k, Inf, lower.tail = FALSE)),
  q_05 = qtukey(0.05, k, Inf, lower.tail = FALSE)
))

out <- commandArgs(trailingOnly = TRUE)
text <- json(list(made_with = list(R = paste(R.version$major, R.version$minor, sep = ".")),
                  mcnemar = mcnemar, above = above, paired = paired, grids = grids,
                  adjusted = adjusted, ranges = ranges))
cat(text, "\n", sep = "", file = if (length(out)) out[1] else stdout())

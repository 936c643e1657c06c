# Writes the values that vcd, psych and (if installed) caret give for some forty tables.
#
#   Rscript tests/golden/make_r_golden.R tests/golden/r.json
#
# Rows are the truth, columns the prediction.

suppressPackageStartupMessages({
  library(vcd)
  library(psych)
})
has_caret <- suppressWarnings(requireNamespace("caret", quietly = TRUE))

# The tables ------------------------------------------------------------------------------------

by_rows <- function(...) {
  cells <- c(...)
  matrix(cells, sqrt(length(cells)), byrow = TRUE)
}

hand_made <- list(
  by_rows(20, 5, 10, 15),
  by_rows(10, 7, 5, 8),
  by_rows(60, 125, 5, 5000),
  by_rows(1, 99, 2, 9898),
  by_rows(45, 15, 25, 15),
  by_rows(3, 40, 50, 7),
  by_rows(1000, 1, 1, 1000),
  by_rows(10, 1, 2, 3, 12, 2, 2, 4, 20),
  by_rows(44, 5, 1, 7, 20, 3, 9, 5, 6),
  by_rows(9, 1, 90, 1, 9, 10, 80, 12, 8),
  by_rows(88, 14, 18, 10, 40, 10, 2, 6, 12),
  by_rows(5, 8, 1, 2, 3, 11, 4, 0, 2, 13, 3, 12, 10, 2, 6, 4),
  by_rows(90, 3, 0, 0, 4, 80, 2, 0, 0, 5, 70, 1, 0, 0, 6, 60),
  by_rows(0, 12, 9, 14, 0, 7, 11, 8, 0),
  by_rows(30, 0, 0, 0, 20, 0, 0, 0, 10),
  by_rows(11, 2, 2, 2, 2, 2, 11, 2, 2, 2, 2, 2, 11, 2, 2, 2, 2, 2, 11, 2, 2, 2, 2, 2, 11)
)

set.seed(20240229, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
random <- list()
for (k in rep(2:6, each = 5)) {
  cells <- matrix(1 + rpois(k * k, rexp(k * k, 1 / 20)), k)
  diag(cells) <- diag(cells) + rpois(k, runif(1, 0, 100))
  random[[length(random) + 1]] <- cells
}
tables <- c(hand_made, random)

# What each package says ------------------------------------------------------------------------

from_vcd <- function(cells) {
  named <- cells
  dimnames(named) <- list(truth = letters[seq_len(nrow(cells))],
                          prediction = letters[seq_len(ncol(cells))])
  named <- as.table(named)
  linear <- Kappa(named, weights = "Equal-Spacing")
  quadratic <- Kappa(named, weights = "Fleiss-Cohen")
  association <- assocstats(named)
  chart <- agreementplot(named)
  found <- list(
    kappa = linear$Unweighted[["value"]],
    kappa_ase = linear$Unweighted[["ASE"]],
    kappa_linear = linear$Weighted[["value"]],
    kappa_linear_ase = linear$Weighted[["ASE"]],
    kappa_quadratic = quadratic$Weighted[["value"]],
    kappa_quadratic_ase = quadratic$Weighted[["ASE"]],
    chi_squared = association$chisq_tests["Pearson", "X^2"],
    g_squared = association$chisq_tests["Likelihood Ratio", "X^2"],
    contingency = association$contingency,
    cramer = association$cramer,
    bangdiwala = c(chart$Bangdiwala),
    bangdiwala_weighted = c(chart$Bangdiwala_Weighted)
  )
  if (nrow(cells) == 2) {
    odds <- loddsratio(named)
    found$phi <- association$phi
    found$odds_ratio <- exp(coef(odds)[[1]])
    found$log_odds_ratio <- coef(odds)[[1]]
    found$log_odds_ratio_se <- sqrt(vcov(odds)[[1]])
  }
  found
}

from_psych <- function(cells) {
  k <- nrow(cells)
  quadratic <- suppressWarnings(cohen.kappa(cells))
  apart <- abs(row(cells) - col(cells))
  linear <- suppressWarnings(cohen.kappa(cells, w = 1 - apart / (k - 1)))
  found <- list(
    kappa = quadratic$kappa,
    kappa_se = sqrt(quadratic$var.kappa),
    kappa_quadratic = quadratic$weighted.kappa,
    kappa_quadratic_se = sqrt(quadratic$var.weighted),
    kappa_linear = linear$weighted.kappa
  )
  if (k == 2) {
    found$phi <- phi(cells, digits = 15)
    found$yule_q <- Yule(cells)
    found$yule_y <- Yule(cells, Y = TRUE)
  }
  if (all(cells > 0)) {
    invisible(capture.output({
      if (k == 2) {
        signal <- AUC(cells, plot = "n", correct = 0)
        found$d_prime <- signal$d.prime
        found$criterion <- signal$criterion
        found$tetrachoric <- tetrachoric(cells, correct = 0)$rho
      }
      found$polychoric <- polychoric(as.table(cells), correct = 0)$rho
    }))
  }
  found
}

# psych stops its search for a latent correlation at the fourth digit. The same definitions with
# the bivariate normal of mnormt, searched to the end.
from_mnormt <- function(cells) {
  n <- sum(cells)
  k <- nrow(cells)
  cuts <- function(margin) c(-Inf, qnorm(cumsum(margin)[-k] / n), Inf)
  rows <- cuts(rowSums(cells))
  columns <- cuts(colSums(cells))
  below <- function(h, k, rho) {
    if (h == -Inf || k == -Inf) return(0)
    if (h == Inf) return(pnorm(k))
    if (k == Inf) return(pnorm(h))
    mnormt::pmnorm(c(h, k), varcov = matrix(c(1, rho, rho, 1), 2))[1]
  }
  corners <- function(rho) outer(rows, columns, Vectorize(function(h, k) below(h, k, rho)))
  unlikely <- function(rho) {
    at <- corners(rho)
    inside <- at[-1, -1] - at[-1, -(k + 1)] - at[-(k + 1), -1] + at[-(k + 1), -(k + 1)]
    -sum(cells * log(pmax(inside, 1e-300)))
  }
  found <- list(polychoric = optimize(unlikely, c(-0.999999, 0.999999), tol = 1e-10)$minimum)
  if (k == 2) {
    surplus <- function(rho) below(rows[2], columns[2], rho) - cells[1, 1] / n
    found$tetrachoric <- uniroot(surplus, c(-0.999999999, 0.999999999), tol = 1e-15)$root
  }
  found
}

from_caret <- function(cells) {
  classes <- letters[seq_len(nrow(cells))]
  # Here rows are the prediction.
  table <- as.table(t(cells))
  dimnames(table) <- list(Prediction = classes, Reference = classes)
  found <- caret::confusionMatrix(table)
  each <- found$byClass
  if (nrow(cells) == 2) each <- t(each)
  list(
    accuracy = found$overall[["Accuracy"]],
    kappa = found$overall[["Kappa"]],
    no_information_rate = found$overall[["AccuracyNull"]],
    accuracy_p_value = found$overall[["AccuracyPValue"]],
    sensitivity = unname(each[, "Sensitivity"]),
    specificity = unname(each[, "Specificity"]),
    precision = unname(each[, "Pos Pred Value"]),
    negative_predictive_value = unname(each[, "Neg Pred Value"]),
    f1 = unname(each[, "F1"]),
    balanced_accuracy = unname(each[, "Balanced Accuracy"])
  )
}

# Writing ---------------------------------------------------------------------------------------

here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source(file.path(here, "json.R"))

version <- function(package) as.character(packageVersion(package))
pdf(NULL)
answers <- lapply(tables, function(cells) {
  found <- list(table = cells, vcd = from_vcd(cells), psych = from_psych(cells))
  if (all(cells > 0)) found$mnormt <- from_mnormt(cells)
  if (has_caret) found$caret <- from_caret(cells)
  found
})
invisible(dev.off())
made_with <- list(R = paste(R.version$major, R.version$minor, sep = "."),
                  vcd = version("vcd"), psych = version("psych"), mnormt = version("mnormt"))
if (has_caret) made_with$caret <- version("caret")

out <- commandArgs(trailingOnly = TRUE)
text <- json(list(made_with = made_with, tables = answers))
cat(text, "\n", sep = "", file = if (length(out)) out[1] else stdout())

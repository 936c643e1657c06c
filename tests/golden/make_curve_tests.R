# What pROC says of the cases in curve_cases.csv; writes curve_r.json. Needs r-cran-proc.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source(file.path(here, "json.R"))
suppressMessages(library(pROC))

one <- function(case) {
  y <- case$y; a <- case$a; b <- case$b
  make <- function(s) roc(y, s, direction = "<", levels = c(0, 1), quiet = TRUE)
  ra <- make(a); rb <- make(b)
  paired <- roc.test(ra, rb, method = "delong", paired = TRUE)
  odd <- seq(1, length(y), 2)
  roc_of <- function(keep, s) roc(y[keep], s[keep], direction = "<", levels = c(0, 1), quiet = TRUE)
  apart <- roc.test(roc_of(odd, a), roc_of(-odd, b), method = "delong", paired = FALSE)
  part <- function(range, focus, correct) as.numeric(auc(ra, partial.auc = range,
    partial.auc.focus = focus, partial.auc.correct = correct))
  best <- function(method) {
    found <- coords(ra, "best", best.method = method, ret = c("threshold", "tpr", "fpr"),
                    transpose = FALSE)
    as.numeric(found[1, c("tpr", "fpr")])
  }
  of_three <- as.matrix(case[c("p0", "p1", "p2")]); colnames(of_three) <- 0:2
  list(
    auc = as.numeric(auc(ra)), auc_b = as.numeric(auc(rb)),
    variance = var(ra, method = "delong"), covariance = cov(ra, rb, method = "delong"),
    ci = as.numeric(ci.auc(ra, method = "delong"))[c(1, 3)],
    paired_z = as.numeric(paired$statistic), paired_p = paired$p.value,
    apart_p = apart$p.value,
    variance_b = var(rb, method = "delong"),
    partial_fpr = part(c(1, 0.8), "specificity", FALSE),
    partial_fpr_standard = part(c(1, 0.8), "specificity", TRUE),
    partial_mid = part(c(0.9, 0.6), "specificity", FALSE),
    partial_tpr = part(c(1, 0.7), "sensitivity", FALSE),
    partial_tpr_standard = part(c(1, 0.7), "sensitivity", TRUE),
    youden = best("youden"), topleft = best("closest.topleft"),
    tpr_at_01 = as.numeric(coords(ra, 0.9, input = "specificity", ret = "sensitivity", transpose = FALSE)),
    hand_till = as.numeric(multiclass.roc(case$three, of_three, quiet = TRUE)$auc)
  )
}

cases <- read.csv(file.path(here, "curve_cases.csv"))
found <- lapply(split(cases, cases$case), one); names(found) <- NULL
cat(json(found), file = file.path(here, "curve_r.json"), sep = "\n")

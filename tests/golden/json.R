# Writes lists, matrices and numbers as JSON, numbers with 17 digits: read back as they were.

json <- function(x, indent = "") {
  if (is.null(x)) return("null")
  if (is.list(x)) {
    inner <- paste0(indent, " ")
    parts <- vapply(x, json, "", indent = inner)
    marks <- c("[", "]")
    if (!is.null(names(x))) {
      parts <- paste0("\"", names(x), "\": ", parts)
      marks <- c("{", "}")
    }
    return(paste0(marks[1], "\n", inner, paste(parts, collapse = paste0(",\n", inner)), "\n",
                  indent, marks[2]))
  }
  if (is.character(x)) return(paste0("\"", x, "\""))
  if (is.matrix(x)) {
    rows <- apply(x, 1, function(row) json(I(row)))
    return(paste0("[", paste(rows, collapse = ", "), "]"))
  }
  words <- ifelse(is.finite(x), sprintf("%.17g", x), "null")
  if (length(x) == 1 && !inherits(x, "AsIs")) words else paste0("[", paste(words, collapse = ", "), "]")
}

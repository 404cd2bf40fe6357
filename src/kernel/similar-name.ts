/**
 * Suggestions for misspelt names, such as commands and settings: "PROT" is similar to "PORT".
 */

/** A name of up to this length is similar within one edit; a longer one within two. */
const SHORT_NAME_MAX = 6

/** Returns the most similar candidate, ignoring case; undefined when none is similar. */
export function similarName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  const editsMax = wanted.length <= SHORT_NAME_MAX ? 1 : 2
  let best: { readonly candidate: string; readonly edits: number } | undefined
  for (const candidate of candidates) {
    // The difference of lengths is a lower bound of the edits.
    if (Math.abs(candidate.length - wanted.length) > editsMax) continue
    const edits = editDistance(wanted, candidate.toLowerCase())
    if (edits <= editsMax && (!best || edits < best.edits)) best = { candidate, edits }
  }
  return best?.candidate
}

/**
 * Optimal string alignment distance: the fewest insertions, deletions, substitutions and swaps of neighbouring
 * characters.
 */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const edits = [
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
      ]
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits.push((beforePrevious[j - 2] ?? 0) + 1)
      current.push(Math.min(...edits))
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

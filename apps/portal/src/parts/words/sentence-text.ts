/** Piece of a sentence: plain words, a field by its name, or words in brackets, which are a field too. */
type Piece =
  | { kind: 'words'; text: string }
  | { kind: 'field'; name: string }
  | { kind: 'bracket'; text: string }

const mark = '\u0001'

/** Value for a message under which its place in the text is found again by `piecesOf`. */
export const placeOf = (name: string) => `${mark}${name}${mark}`

/** Pieces of a text with the marks of `placeOf`, and with words in brackets. */
export function piecesOf(text: string): Piece[] {
  return text.split(mark).flatMap((part, index): Piece[] => {
    if (index % 2 === 1) return [{ kind: 'field', name: part }]
    return part
      .split(/\[([^\]]*)\]/)
      .map((words, at): Piece => ({ kind: at % 2 === 1 ? 'bracket' : 'words', text: words }))
      .filter((piece) => piece.kind !== 'words' || piece.text !== '')
  })
}

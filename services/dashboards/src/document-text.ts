import { newDocument } from '@longreach/board/new-document'
import { openBoard, textOfBoard } from '@longreach/board/board'
import { readDocumentText } from '@longreach/board/read'
import { failure } from '@longreach/kit/errors'
import lz from 'lz-string'
import { createHash } from 'node:crypto'
import { dashboardsContract } from './contract.ts'

/** Text of a document as it is kept: a board in its ordered form, or another program's byte for byte. */
export type KeptText = { text: string; isForeign: boolean }

/** Text of a new, empty board. */
export const emptyText = (name: string): KeptText => ({
  text: textOfBoard(openBoard(newDocument('dashboard', name))),
  isForeign: false,
})

/** Reads posted text, also compressed by lz-string; 422 with its faults when it is a board and not good. */
export function readPosted(posted: string): KeptText {
  const text = unpacked(posted)
  if (isForeign(text)) return { text: posted, isForeign: true }
  const read = readDocumentText(text)
  if (read.ok) return { text: textOfBoard(openBoard(read.document)), isForeign: false }
  const [first] = read.issues
  throw failure(dashboardsContract, 'document_invalid', {
    message: `The document has faults; the first is at ${first?.pointer || 'its beginning'}: ${first?.code ?? ''}`,
    field: 'json',
    issues: read.issues,
  })
}

/** Text of clients that compress it, in one of three forms of lz-string; others are taken as they are. */
function unpacked(posted: string): string {
  if (/^\s*[{[]/.test(posted)) return posted
  const ways = [
    lz.decompressFromBase64,
    lz.decompressFromEncodedURIComponent,
    lz.decompressFromUTF16,
  ]
  const found = ways.map((way) => tried(way, posted)).find((text) => text?.startsWith('{'))
  return found ?? posted
}

function tried(way: (text: string) => string | null, text: string) {
  try {
    return way(text) ?? undefined
  } catch {
    // Another form: the next way is tried.
    return undefined
  }
}

/** A document of the program that made the wire: it has a tree in `projectWgt`. */
function isForeign(text: string) {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && Object.hasOwn(parsed, 'projectWgt')
  } catch {
    // What is no JSON is named as such by the reader of documents.
    return false
  }
}

export const sha256Of = (text: string) => createHash('sha256').update(text).digest()

import { bytesOf } from './board.ts'
import { boardSchema, Document } from './document.ts'
import type { DocumentIssue } from './issue.ts'
import { faultOfJson, fieldOf, isObject } from './json.ts'
import { boardLimits } from './limits.ts'
import { migrate } from './migrate.ts'
import { schemaIssues } from './schema-issues.ts'
import { treeIssues } from './tree-issues.ts'

type ReadDocument = { ok: true; document: Document } | { ok: false; issues: DocumentIssue[] }

/** Nesting of a whole document: that of values, and what lies above them. */
const documentDepth = boardLimits.valueDepth + 6

/** Reads the text of a document, and answers it in the newest schema, or its faults. Never throws. */
export function readDocumentText(text: string): ReadDocument {
  const found = new TextEncoder().encode(text).length
  const limit = boardLimits.bytes
  if (found > limit) return refused({ pointer: '', code: 'too_large', found, limit })
  try {
    return readDocument(JSON.parse(text))
  } catch (error) {
    // A text nested too deep for the parser is a RangeError.
    const code = error instanceof SyntaxError ? 'not_json' : 'too_deep'
    return refused({ pointer: '', code })
  }
}

/** Reads a document of any origin, and answers it in the newest schema, or its faults. */
export function readDocument(raw: unknown): ReadDocument {
  const fault = faultOfJson(raw, documentDepth)
  if (fault) return refused(fault)
  if (!isObject(raw) || fieldOf(raw, 'format') !== 'longreach-board') {
    return refused({ pointer: '/format', code: 'not_a_board', limit: 'longreach-board' })
  }
  const schema = fieldOf(raw, 'schema')
  if (typeof schema === 'number' && schema > boardSchema) {
    const limit = boardSchema
    return refused({ pointer: '/schema', code: 'newer_schema', found: schema, limit })
  }
  const read = Document.safeParse(migrate(raw), { reportInput: true })
  if (!read.success) return refused(...schemaIssues(read.error))
  const issues = treeIssues(read.data)
  if (issues.length > 0) return refused(...issues)
  const found = bytesOf(read.data)
  const limit = boardLimits.bytes
  return found > limit
    ? refused({ pointer: '', code: 'too_large', found, limit })
    : { ok: true, document: read.data }
}

const refused = (...issues: DocumentIssue[]): ReadDocument => ({
  ok: false,
  issues: issues.slice(0, boardLimits.issues),
})

/** Codes of faults for which a document is refused; `found` and `limit` say how far it is off. */
const documentIssueCodes = [
  'too_large',
  'too_deep',
  'not_json',
  'forbidden_key',
  'not_a_board',
  'newer_schema',
  'missing',
  'wrong_type',
  'not_one_of',
  'too_small',
  'too_big',
  'too_many',
  'invalid',
  'other_id',
  'no_parent',
  'not_a_group',
  'cycle',
  'not_a_page',
  'page_twice',
  'no_root_group',
  'too_many_root_groups',
  'page_not_listed',
] as const
type DocumentIssueCode = (typeof documentIssueCodes)[number]

/** Fault of a document at a place, given as a JSON pointer (RFC 6901). */
export type DocumentIssue = {
  pointer: string
  code: DocumentIssueCode
  found?: string | number
  limit?: string | number
}

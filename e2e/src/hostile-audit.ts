import { addressRow, type HostileRow, type Kind, row } from './hostile-row.ts'

const trail = 'audit/api/v1'
const org = 'organization=main'
const asked = (path: string): Kind => ({
  method: 'GET',
  path: `${trail}/${path}?${org}`,
  good: undefined,
  answered: 200,
})
const filled = (field: string, text: string) => `&${field}=${text.repeat(6_000 / text.length)}`

/** Requests to the audit service. */
export const rows: readonly HostileRow[] = [
  addressRow(
    asked('entries'),
    'audit: 3,000 persons in one question',
    () => `${trail}/entries?${org}${filled('actor', 'a,')}`,
  ),
  addressRow(
    asked('entries'),
    'audit: a text of a hundred words',
    () => `${trail}/entries?${org}&text=${'%25a%20'.repeat(28)}`,
  ),
  addressRow(
    asked('facets'),
    'audit: counts of 3,000 resources',
    () => `${trail}/facets?${org}${filled('resource', 'r,')}`,
  ),
  addressRow(
    asked('export'),
    'audit: an export of 3,000 actions',
    () => `${trail}/export?${org}${filled('action', 'x,')}`,
  ),
  row(
    { method: 'PUT', path: `${trail}/retention?${org}`, good: { days: 1_000 }, answered: 200 },
    'audit: a retention of 200,000 numbers',
    () => ({ days: Array.from({ length: 200_000 }, (_, n) => n) }),
    [400, 413],
  ),
]

import { expect, test } from 'vitest'
import type { Listed } from './people-calls.ts'
import { cellsOf } from './people-export.ts'

const created = Date.parse('2026-01-02T03:04:05Z')
const eva: Listed = {
  id: 7,
  sub: 'eva',
  username: 'eva',
  email: 'eva@nordwerk.example',
  firstName: 'Eva',
  lastName: 'Sonntag',
  serviceAccount: false,
  enabled: true,
  createdAt: created,
}
const word = (id: string) => id.replace('permission.', '')

test('a person of the file has what the list says of them', () => {
  const roles = ['Operator', 'Viewer'].map((label, id) => ({
    id,
    name: label,
    label,
    owner: 'nordwerk',
    own: true,
  }))
  const known = { ...eva, roles, twoFactor: true, lastSignIn: created, state: 'LOCKED' as const }
  expect(cellsOf(known, word)).toEqual([
    'eva',
    'eva@nordwerk.example',
    'Eva',
    'Sonntag',
    'person',
    'Operator; Viewer',
    'factorOn',
    '2026-01-02T03:04:05.000Z',
    'locked',
    '2026-01-02T03:04:05.000Z',
  ])
})

test('what is not known stays empty, and who never signed in is told', () => {
  expect(cellsOf(eva, word).slice(5, 9)).toEqual(['', '', '', 'enabled'])
  const invited = { ...eva, lastSignIn: null, state: 'INVITED' as const }
  expect(cellsOf(invited, word).slice(7, 9)).toEqual(['neverSignedIn', 'invited'])
})

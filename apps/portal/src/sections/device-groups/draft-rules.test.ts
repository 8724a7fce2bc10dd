import { expect, test } from 'vitest'
import {
  asBefore,
  countChanges,
  type Entry,
  noChange,
  shownEntries,
  withActions,
  withOut,
  withPut,
} from './draft-rules.ts'

const oven: Entry = { kind: 'device', id: 'o', label: 'Oven' }
const press: Entry = { kind: 'device', id: 'p', label: 'Press' }
const anna: Entry = { kind: 'person', id: '1', label: 'Anna' }
const role: Entry = { kind: 'role', id: '1', label: 'Operator', actions: ['read'] }
const current = [oven, role]

test('what is in the group already is not put twice', () => {
  const draft = withPut(noChange, [oven, press, anna, press], current)
  expect(draft).toEqual({ put: [press, anna], out: [] })
  expect(countChanges(draft)).toBe(2)
})

test('taking out what is on its way in, and putting back what was taken out, changes nothing', () => {
  const put = withPut(noChange, [press], current)
  expect(withOut(put, press, current)).toEqual(noChange)
  const out = withOut(noChange, oven, current)
  expect(out).toEqual({ put: [], out: [oven] })
  expect(withOut(out, oven, current)).toEqual(out)
  expect(withPut(out, [oven], current)).toEqual(noChange)
  expect(asBefore(out, oven)).toEqual(noChange)
})

test('a role comes with seeing and keeps what is set for it', () => {
  const fresh: Entry = { kind: 'role', id: '2', label: 'Viewer' }
  const draft = withPut(noChange, [fresh], current)
  expect(draft.put).toEqual([{ ...fresh, actions: ['read'] }])
  const more = withActions(noChange, role, ['read', 'update'], current)
  expect(shownEntries(more, current).map(({ id, state }) => [id, state])).toEqual([
    ['o', 'kept'],
    ['1', 'changed'],
  ])
  expect(withActions(more, role, ['read'], current)).toEqual(noChange)
  expect(withActions(more, role, [], current)).toEqual({ put: [], out: [role] })
})

test('new entries stand first, and what is about to go in its place', () => {
  const draft = withOut(withPut(noChange, [press], current), oven, current)
  expect(shownEntries(draft, current).map(({ label, state }) => [label, state])).toEqual([
    ['Press', 'new'],
    ['Oven', 'gone'],
    ['Operator', 'kept'],
  ])
})

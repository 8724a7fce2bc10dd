import { expect, test } from 'vitest'
import { urlOf } from './url-of.ts'

test('times of a query go as ISO 8601, lists as the same name several times, what is missing not at all', () => {
  const query = {
    from: new Date(Date.UTC(2026, 0, 7, 12)),
    id: ['a b', 3],
    to: undefined,
  }
  expect(urlOf({ base: '/svc' }, { path: '/things/:id' }, { params: { id: 'x/y' }, query })).toBe(
    '/svc/things/x%2Fy?from=2026-01-07T12%3A00%3A00.000Z&id=a+b&id=3',
  )
})

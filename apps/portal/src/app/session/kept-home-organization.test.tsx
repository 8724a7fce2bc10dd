import { afterEach, expect, test } from 'vitest'
import { answer, organization } from '../../page-testing.tsx'
import { applyHomeOrganization } from './kept-home-organization.ts'
import { selectionOf } from '../sign-in/selection-rules.ts'

const kept = 'GET /svc/core/api/v1/users/mine/services/portal/properties/homeOrganization'
const { fetch: before } = globalThis
afterEach(() => {
  globalThis.fetch = before
})

type Arrival = { own?: readonly string[]; scope?: string }

/** Selection at the start for a person who opens a path. */
function arrive(path: string, { own = ['nordwerk', 'acqua'], scope }: Arrival = {}) {
  const question = {
    path,
    origin: location.origin,
    scope,
    own: own.map((name) => organization(name)),
  }
  return applyHomeOrganization(selectionOf(question), question)
}

test('an address that names no organization opens the one that the person keeps [T-01] [E-09]', async () => {
  answer({ [kept]: () => 'acqua' })
  expect(await arrive('/log?q=a')).toEqual({ kind: 'enter', asked: 'acqua', path: '/log?q=a' })
})

test('what the address, the tab or the selector itself names comes before what is kept [T-01]', async () => {
  answer({ [kept]: () => 'acqua' })
  expect(await arrive('/log?org=nordwerk')).toMatchObject({ kind: 'enter', asked: 'nordwerk' })
  expect(await arrive('/log', { scope: 'nordwerk' })).toMatchObject({ resourceId: 'nordwerk' })
  expect(await arrive('/organization')).toEqual({ kind: 'choose', redirectTo: '/home' })
  expect(await arrive('/organization?redirectTo=/log')).toMatchObject({ kind: 'choose' })
})

test('whoever keeps none, left it, or cannot be asked chooses [T-01]', async () => {
  const asked = { kind: 'choose', redirectTo: '/log' }
  answer({ [kept]: () => undefined })
  expect(await arrive('/log')).toEqual(asked)
  answer({ [kept]: () => 'acqua' })
  expect(await arrive('/log', { own: ['nordwerk', 'forni'] })).toEqual(asked)
  answer({})
  expect(await arrive('/log')).toEqual(asked)
})

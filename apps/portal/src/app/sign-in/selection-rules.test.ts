import { expect, test } from 'vitest'
import { enterHomeOrganization, selectionOf } from './selection-rules.ts'

const origin = 'https://portal.example'
const nordwerk = { id: 7, resourceId: 'nordwerk', name: 'nordwerk' }
const acqua = { id: 8, resourceId: 'acqua', name: 'acqua' }
const ask = (path: string, scope: string | undefined, own = [nordwerk, acqua]) =>
  selectionOf({ path, origin, scope, own })

test('without an organization the selector asks, and remembers where to go [T-01]', () => {
  expect(ask('/devices?q=oven', undefined)).toEqual({
    kind: 'choose',
    redirectTo: '/devices?q=oven',
  })
})

test('exactly one organization is selected by itself [T-01]', () => {
  expect(ask('/devices', undefined, [nordwerk])).toEqual({
    kind: 'enter',
    asked: 'nordwerk',
    path: '/devices',
  })
})

test.for([['acqua'], ['8']])('query org=%s selects another organization [T-01]', ([org]) => {
  expect(ask(`/devices?org=${org}`, 'nordwerk')).toMatchObject({ kind: 'enter', asked: org })
})

test('query org of the current organization changes nothing', () => {
  expect(ask('/devices?org=7', 'nordwerk')).toEqual({
    kind: 'open',
    resourceId: 'nordwerk',
    path: '/devices?org=7',
  })
})

test('visiting the selector while allowed goes home, or where it was sent [T-05]', () => {
  expect(ask('/organization', 'nordwerk')).toEqual({
    kind: 'open',
    resourceId: 'nordwerk',
    path: '/home',
  })
  expect(ask('/organization?redirectTo=/alarms', 'nordwerk')).toMatchObject({ path: '/alarms' })
})

test('the local client is always asked to choose [R-04]', () => {
  const path = `/organization?redirectTo=${encodeURIComponent('http://localhost/selectOrgCallback/')}`
  expect(ask(path, 'nordwerk')).toEqual({
    kind: 'choose',
    redirectTo: 'http://localhost/selectOrgCallback/',
  })
})

test.for(['//evil.example', 'https://evil.example', 'javascript:alert(1)'])(
  'the selector does not lead to %s',
  (wish) => {
    const path = `/organization?redirectTo=${encodeURIComponent(wish)}`
    expect(ask(path, undefined)).toEqual({ kind: 'choose', redirectTo: '/home' })
  },
)

const choice = { kind: 'choose', redirectTo: '/devices?q=oven' } as const

test('the home organization opens instead of the question, while it is the person’s [T-01] [E-09]', () => {
  const own = [nordwerk, acqua]
  expect(enterHomeOrganization(choice, own, 'acqua')).toEqual({
    kind: 'enter',
    asked: 'acqua',
    path: '/devices?q=oven',
  })
  for (const none of [undefined, '', 'left.long-ago', '8']) {
    expect(enterHomeOrganization(choice, own, none)).toBe(choice)
  }
  expect(enterHomeOrganization(choice, [nordwerk], 'acqua')).toBe(choice)
})

import { expect, test } from 'vitest'
import { movedTab, tabsFor, tabWords } from './device-tabs.ts'

test('a person sees seven tabs; access only who may see people, alarms who may see these', () => {
  expect(tabsFor(() => true)).toEqual(Object.keys(tabWords))
  expect(Object.keys(tabWords)).toHaveLength(7)
  expect(tabsFor(() => false)).not.toContain('access')
  expect(tabsFor(() => false)).not.toContain('alarms')
})

test('every former tab leads to a tab of today, and a tab of today nowhere else', () => {
  const before = ['values', 'chart', 'timeline', 'connection', 'audit', 'log', 'console', 'sources']
  for (const tab of before) expect(Object.keys(tabWords)).toContain(movedTab(tab)?.['tab'])
  for (const tab of [...Object.keys(tabWords), 'constructor', undefined])
    expect(movedTab(tab)).toBeUndefined()
  expect(movedTab('connection')).toEqual({ tab: 'history', kind: 'connection' })
})

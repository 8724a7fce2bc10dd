import { expect, test } from 'vitest'
import { sections } from '../../sections.ts'
import { initials } from './initials.ts'
import { parseSearch, stringifySearch } from './search-text.ts'
import { shortcutOf } from './shortcut-rules.ts'
import { treeOf } from '../switcher/tree-rules.ts'

const key = (name: string, more: Partial<KeyboardEvent> = {}) =>
  ({
    key: name,
    code: '',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    target: null,
    ...more,
  }) as KeyboardEvent
const inField = { target: { tagName: 'INPUT', type: 'text' } as unknown as EventTarget }

test('keys mean something outside of text fields only [K-03]', () => {
  expect(shortcutOf(key('b', { ctrlKey: true }), false)).toEqual({ kind: 'menu' })
  expect(shortcutOf(key('b', { ctrlKey: true, ...inField }), false)).toBeUndefined()
  expect(shortcutOf(key('?', { shiftKey: true }), false)).toEqual({ kind: 'help' })
  expect(shortcutOf(key('?', inField), false)).toBeUndefined()
  expect(shortcutOf(key('k', { metaKey: true, ...inField }), false)).toEqual({ kind: 'palette' })
  expect(shortcutOf(key('d'), true)).toEqual({ kind: 'jump', key: 'd' })
  expect(shortcutOf(key('d'), false)).toBeUndefined()
})

test('three keys held with E, D or S are about experimental features, and fewer are not [K-04]', () => {
  const held = { ctrlKey: true, altKey: true, shiftKey: true }
  expect(shortcutOf(key('E', held), false)).toEqual({ kind: 'featuresOn' })
  expect(shortcutOf(key('D', held), false)).toEqual({ kind: 'featuresOff' })
  expect(shortcutOf(key('S', { ...held, ...inField }), false)).toEqual({ kind: 'features' })
  expect(shortcutOf(key('X', held), false)).toBeUndefined()
  expect(shortcutOf(key('S', { ...held, altKey: false }), false)).toBeUndefined()
})

test('where Ctrl+Alt writes another character, the key itself is meant [K-04]', () => {
  const held = { ctrlKey: true, altKey: true, shiftKey: true }
  expect(shortcutOf(key('€', { ...held, code: 'KeyE' }), false)).toEqual({ kind: 'featuresOn' })
  expect(shortcutOf(key('ß', { ...held, code: 'KeyS' }), false)).toEqual({ kind: 'features' })
  expect(shortcutOf(key('Dead', { ...held, code: 'KeyD' }), false)).toEqual({ kind: 'featuresOff' })
  // Another layout: the character E at another place.
  expect(shortcutOf(key('E', { ...held, code: 'KeyF' }), false)).toEqual({ kind: 'featuresOn' })
  expect(shortcutOf(key(' ', { ...held, code: 'Space' }), false)).toBeUndefined()
  expect(shortcutOf(key('¢', { ...held, code: 'KeyC' }), false)).toBeUndefined()
})

test('every section has a key of its own, or none [K-03]', () => {
  const keys = sections.flatMap((section) => section.key ?? [])
  expect(keys).toEqual([...new Set(keys)])
})

test('the address keeps texts as they are', () => {
  const search = parseSearch('?version=1.10&tag=a&tag=b&ecc_device_oven=x%20y&n=1')
  expect(search).toEqual({ version: '1.10', tag: ['a', 'b'], ecc_device_oven: 'x y', n: '1' })
  expect(stringifySearch(search)).toBe('?version=1.10&tag=a&tag=b&ecc_device_oven=x+y&n=1')
  expect(stringifySearch({ empty: undefined })).toBe('')
})

test('organizations stand in the order of their tree, each once', () => {
  const ids = ['b', 'a.x', 'a-b', 'a', 'a.x.y', 'a']
  const tree = treeOf(ids.map((resourceId) => ({ resourceId })))
  expect(tree.map(({ organization, depth }) => `${depth} ${organization.resourceId}`)).toEqual([
    '0 a',
    '1 a.x',
    '2 a.x.y',
    '0 a-b',
    '0 b',
  ])
})

test('initials come from the first two words', () => {
  expect(initials('Acqua Servizi SpA')).toBe('AS')
  expect(initials('nordwerk')).toBe('NO')
  expect(initials('')).toBe('')
})

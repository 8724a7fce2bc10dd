import { expect, test } from 'vitest'
import { spoken } from '../words/spoken-testing.ts'
import { personName, useRightText } from './right-text.ts'
import { useRoleLabel, useRoleLabels, useRoleText } from './role-text.ts'

const own = { name: 'app_viewer', owner: 'ORGANIZATION', label: 'Viewer', description: 'Ours' }
const builtIn = { ...own, owner: 'SYSTEM' }

test('a right reads as its resource and its action', async () => {
  const text = await spoken(useRightText)
  expect(text('devices:read')).toBe('Devices: view')
  expect((await spoken(useRightText, { language: 'de' }))('devices:read')).toMatch(/^Geräte: /)
})

test('a built-in role is told in the language of the reader, an own one as it was written', async () => {
  const [text, german] = [await spoken(useRoleText), await spoken(useRoleText, { language: 'de' })]
  expect(text(builtIn)).toMatch(/^Views the machines/)
  expect(german(builtIn)).not.toBe(text(builtIn))
  expect(german(own)).toBe('Ours')
})

test('a built-in role that this version does not know keeps its own words', async () => {
  const [text, label] = [await spoken(useRoleText), await spoken(useRoleLabel)]
  const fresh = { ...builtIn, name: 'app_planner', label: 'Planner' }
  expect(text(fresh)).toBe('Ours')
  expect(label(fresh)).toBe('Planner')
})

test('in lists labels are told likewise, and the rest stays', async () => {
  const labelled = await spoken(useRoleLabels, { language: 'it' })
  const page = labelled({ content: [builtIn, own] })
  expect(page.content[1]).toEqual(own)
  expect(page.content[0]).toMatchObject({ name: 'app_viewer', description: 'Ours' })
  expect(page.content[0]?.label).toBe((await spoken(useRoleLabel, { language: 'it' }))(builtIn))
})

test.each([
  ['Anna', 'Berg', 'Anna Berg'],
  ['', 'Berg', 'Berg'],
  ['Anna', '', 'Anna'],
  ['', '', 'anna'],
])('a person called %j %j is shown as %j', (firstName, lastName, name) =>
  expect(personName({ username: 'anna', firstName, lastName })).toBe(name),
)

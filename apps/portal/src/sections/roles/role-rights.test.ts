import { resources } from '@longreach/authorization/permissions'
import { expect, test } from 'vitest'
import { everyRow } from '../../parts/access/rights-table.ts'
import { nameFrom, plainRights, type Rule, withPlainRights } from './role-rights.ts'

const rule = (more: Partial<Rule>): Rule => ({
  resource: 'devices',
  actions: ['read'],
  deviceGroup: null,
  vpnName: null,
  ...more,
})

test('every resource stands in the matrix once [R-14]', () => {
  const shown = everyRow.flatMap(({ rows }) => rows.map(({ resource }) => resource))
  expect(shown.toSorted()).toEqual([...resources].toSorted())
})

test('rights without a limit are told from those in a device group', () => {
  const rules = [
    rule({ actions: ['read', 'update'] }),
    rule({ actions: ['access'], deviceGroup: 7 }),
    rule({ resource: 'vpn', actions: ['access'], vpnName: 'press-7' }),
  ]
  expect([...plainRights(rules)]).toEqual(['devices:read', 'devices:update'])
})

test('changing the matrix leaves limited rules as they are', () => {
  const limited = rule({ actions: ['access'], deviceGroup: 7 })
  const rules = withPlainRights(
    [rule({ actions: ['read'] }), limited],
    new Set(['devices:update', 'devices:read', 'alarms:ack']),
  )
  expect(rules).toEqual([
    rule({ actions: ['read', 'update'] }),
    rule({ resource: 'alarms', actions: ['ack'] }),
    limited,
  ])
})

test.each([
  ['Service engineer Süd', 'service-engineer-sud'],
  ['  Größe / 7 ', 'grosse-7'],
  ['***', ''],
])('"%s" is named "%s"', (label, name) => {
  expect(nameFrom(label)).toBe(name)
})

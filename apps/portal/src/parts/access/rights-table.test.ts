import { productCapabilities } from '@longreach/authorization/product-capabilities'
import { resources } from '@longreach/authorization/permissions'
import { afterEach, expect, test } from 'vitest'
import { everyRow, means, rightsColumns, rightsTable } from './rights-table.ts'

const before = { ...productCapabilities }
afterEach(() => void Object.assign(productCapabilities, before))

const shown = () => rightsTable().flatMap(({ rows }) => rows.map(({ resource }) => resource))

test('permissions of what this version does not have are not shown, though the wire knows them', () => {
  expect(resources).toEqual(expect.arrayContaining(['triggers', 'vpn', 'products']))
  for (const missing of ['dashboards', 'products', 'vpn']) {
    expect(shown()).not.toContain(missing)
  }
  expect(rightsTable().map(({ group }) => group)).toEqual(['machines', 'work', 'administration'])
  expect(rightsColumns()).toEqual([
    'read',
    'create',
    'update',
    'delete',
    'access',
    'ack',
    'reset',
    'clear',
  ])
  expect([means('vpn:access'), means('devices:read')]).toEqual([false, true])
})

test('one entry of the list shows a part of the product', () => {
  productCapabilities.remoteAccess = true
  expect(shown()).toContain('vpn')
  expect(means('vpn:access')).toBe(true)
  for (const name of Object.keys(productCapabilities) as (keyof typeof productCapabilities)[]) {
    productCapabilities[name] = true
  }
  expect(rightsTable()).toEqual(everyRow)
})

import { expect, test } from 'vitest'
import { linkTo } from './page-links.ts'

test('a link to a page holds its parameters and search', () => {
  expect(
    linkTo('/devices/$deviceId', { params: { deviceId: '7' }, search: { tab: 'data' } }),
  ).toEqual({ to: '/devices/7', search: { tab: 'data' } })
  expect(linkTo('/devices/labels', { search: { device: ['1', '2'] } })).toEqual({
    to: '/devices/labels',
    search: { device: ['1', '2'] },
  })
})

test('search of the present page can stay beside that of the link', () => {
  const keep = { q: 'pump', view: 'table' }
  expect(linkTo('/devices', { keep, search: { view: 'cards' } }).search).toEqual({
    q: 'pump',
    view: 'cards',
  })
})

test('a link without a parameter, to no page, or with a key that the page does not read is no program', () => {
  // @ts-expect-error -- the parameter is missing
  expect(linkTo('/devices/$deviceId', {}).to).toBe('/devices/')
  // @ts-expect-error -- no such page
  expect(linkTo('/gadgets', {}).to).toBe('/gadgets')
  // @ts-expect-error -- the explorer reads no such key
  expect(linkTo('/data-explore', { search: { device: '7' } }).to).toBe('/data-explore')
  const params = { deviceId: '7' }
  // @ts-expect-error -- a device has no such tab
  expect(linkTo('/devices/$deviceId', { params, search: { tab: 'x' } }).to).toBe('/devices/7')
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { portalFiles } from './portal-files.ts'
import { readSettings } from './settings.ts'

const served = async (env: NodeJS.ProcessEnv, dataDir = '') => {
  const app = Fastify()
  const site = { origin: 'https://portal.example.org', dataDir, mqttPort: 0 }
  await portalFiles(app, site, readSettings(env))
  return app
}
const host = 'portal.example.org'

test('the map’s archive in the data folder is read by parts, and nothing beside it [R-12]', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-map-'))
  await mkdir(path.join(dataDir, 'maps'))
  await writeFile(path.join(dataDir, 'maps/europe.pmtiles'), 'PMTiles and more')
  await writeFile(path.join(dataDir, 'maps/secret.txt'), 'no')
  const env = { MAP_PMTILES: 'maps/europe.pmtiles', MAP_ATTRIBUTION: '© Somebody' }
  const app = await served(env, dataDir)
  const told = (await app.inject({ url: '/portal-settings.json', headers: { host } })).json()
  expect(told.map).toEqual({ pmtiles: '/map-tiles/world.pmtiles', attribution: '© Somebody' })
  const part = await app.inject({
    url: '/map-tiles/world.pmtiles',
    headers: { host, range: 'bytes=0-6' },
  })
  expect([part.statusCode, part.body]).toEqual([206, 'PMTiles'])
  for (const url of ['/map-tiles/secret.txt', '/map-tiles/../secret.txt', '/map-tiles/']) {
    expect((await app.inject({ url, headers: { host } })).statusCode).toBe(404)
  }
  await app.close()
  await rm(dataDir, { recursive: true })
})

test('tiles of another host are told, and the page may call that host [R-12]', async () => {
  const tiles = 'https://tiles.example.org/{z}/{x}/{y}.png'
  const app = await served({ MAP_TILES: tiles })
  const { headers } = await app.inject({ url: '/', headers: { host, accept: 'text/html' } })
  expect(headers['content-security-policy']).toContain(
    "connect-src 'self' https://portal.example.org https://tiles.example.org;",
  )
  expect(
    (await app.inject({ url: '/portal-settings.json', headers: { host } })).json().map,
  ).toEqual({
    tiles,
  })
  await app.close()
})

test.each([
  [{ MAP_TILES: 'https://tiles.example.org/all.png' }, 'MAP_TILES must be an address'],
  [{ MAP_PMTILES: '../../etc/passwd.pmtiles' }, 'below DATA_DIR'],
  [{ MAP_PMTILES: '/srv/world.pmtiles' }, 'below DATA_DIR'],
  [{ MAP_PMTILES: 'a.pmtiles', MAP_TILES: 'http://x/{z}/{x}/{y}' }, 'exclude each other'],
])('%j is refused', (env, message) => {
  expect(() => readSettings(env)).toThrow(message)
})

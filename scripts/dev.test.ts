import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { descendantsOf, living, startProgram } from '../e2e/src/program.ts'
import { copyProject } from './project-copy.ts'

const root = path.join(import.meta.dirname, '..')

test('development brings changes of portal and server without a new start, and leaves no process', async () => {
  const copy = await copyProject()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'longreach-dev-'))
  const file = path.relative(root, path.join(copy.folder, 'scripts/dev.ts'))
  const env = { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', DEMO_FLEET: 'off' }
  const program = startProgram(file, [], { cwd: copy.folder, env })
  try {
    await expect.poll(program.output).toMatch(/ready at/)
    const [, origin = ''] = /ready at (http:\S+)/.exec(program.output()) ?? []
    const text = async (address: string) => (await fetch(`${origin}${address}`)).text()
    const change = async (place: string, from: string, to: string) => {
      const whole = path.join(copy.folder, place)
      await writeFile(whole, (await readFile(whole, 'utf8')).replace(from, to))
    }

    const logo = '/src/app/shell/Logo.tsx'
    expect(await text(logo)).not.toContain('changed here')
    const told = await updatesOf(origin, await text('/@vite/client'))
    await change(`apps/portal${logo}`, 'export function', '/** changed here */\nexport function')
    await expect.poll(() => told).toContain(logo)
    expect(await text(logo)).toContain('changed here')

    expect(JSON.parse(await text('/portal-settings.json'))).toEqual({ origin })
    await change('apps/server/src/portal-files.ts', 'origin: site.origin,', "origin: 'changed',")
    await expect.poll(() => text('/portal-settings.json')).toBe('{"origin":"changed"}')

    const below = await descendantsOf(program.child.pid ?? 0)
    expect(below.length).toBeGreaterThan(1)
    await program.stop()
    expect(await program.ended).toBe(0)
    await expect.poll(() => living(below)).toEqual([])
  } finally {
    await program.stop()
    await copy.remove()
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** Paths of modules that open pages replace, as Vite tells them; the list grows. */
async function updatesOf(origin: string, client: string) {
  const [, token = ''] = /wsToken = "([^"]+)"/.exec(client) ?? []
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  const paths: string[] = []
  socket.addEventListener('message', ({ data }) => {
    const { updates = [] } = JSON.parse(String(data)) as { updates?: { path: string }[] }
    paths.push(...updates.map((update) => update.path))
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('Vite refused the connection')))
  })
  return paths
}

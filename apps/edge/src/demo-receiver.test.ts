import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiverHost, startReceiver } from './demo-receiver.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-receiver-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('webhooks that arrive are shown on a page, the newest first, and its port stays', async () => {
  const file = path.join(folder, 'receiver.json')
  const told: string[] = []
  const tell = (line: string) => void told.push(line)
  const first = await startReceiver(file, tell)
  const url = `http://${receiverHost}:${first?.port}`
  expect(await (await fetch(url)).text()).toContain('Nothing has arrived yet.')
  for (const name of ['one', '<two>']) {
    const call = {
      method: 'POST',
      headers: { 'webhook-id': `id of ${name}` },
      body: JSON.stringify({ name }),
    }
    expect(await (await fetch(`${url}/hook`, call)).text()).toBe('received')
  }
  const page = await (await fetch(url)).text()
  expect(page).toMatch(/POST \/hook .*id of &lt;two&gt;[^]*"name": "&lt;two&gt;"[^]*id of one/)
  expect(page).not.toContain('<two>')
  // While it runs its port is taken: a second one says so, and does not run.
  expect(await startReceiver(file, tell)).toBeUndefined()
  expect(told).toMatchObject([expect.stringContaining('EADDRINUSE')])
  await first?.close()
  const again = await startReceiver(file, tell)
  expect(again?.port).toBe(first?.port)
  await again?.close()
})

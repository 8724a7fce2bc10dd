import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { coreContract } from '@longreach/core/contract'
import { identityContract } from '@longreach/identity/contract'
import { client } from '@longreach/kit/client'
import { compose } from './compose.ts'
import { program, say } from './run.ts'

// Prints a one-time link for each owner, or for the named one: `npm run reset-admin -- anna`.
program(async (settings) => {
  const origin = settings.publicUrl ?? (await lastOrigin(settings.dataDir))
  const all = { ...settings, services: undefined, publicUrl: origin }
  const server = await compose(all, { share: true })
  const fetch = await server.fetchAsService()
  const { owners } = await client(coreContract, fetch).roots({})
  const wanted = process.argv[2]
  const chosen = owners.filter(({ username }) => wanted === undefined || username === wanted)
  for (const { sub, username, realm } of chosen) {
    const asked = { params: { sub }, body: { handOver: true } }
    const { url = '' } = await client(identityContract, fetch).oneTimeLink(asked)
    say(`${username} (${realm}), once and for 15 minutes:\n  ${url}`)
  }
  await server.close()
  if (chosen.length > 0) return
  const names = owners.map(({ username }) => username).join(', ')
  say(
    wanted === undefined
      ? 'There is no owner yet: npm start leads to the first-run page.'
      : `No owner is called ${wanted}. Owners: ${names}`,
  )
  process.exitCode = 1
})

/** Origin at which the server last listened on this folder, for the link. */
async function lastOrigin(dataDir: string) {
  const text = await readFile(path.join(dataDir, 'origin'), 'utf8').catch(() => '') // never started
  return text.trim() || undefined
}

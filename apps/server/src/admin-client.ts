import { identityContract } from '@longreach/identity/contract'
import { client } from '@longreach/kit/client'
import { compose } from './compose.ts'
import { program, say } from './run.ts'

const standard = 'corvina-core-keycloak-admin-client'

// Enable an administration client of realm `master`, or disable it: `npm run admin-client [--
// <client>] [--off]`. Its secret is the setting ADMIN_CLIENT_SECRET, or made and printed.
program(async (settings) => {
  const args = process.argv.slice(2)
  const enabled = !args.includes('--off')
  const name = args.find((one) => !one.startsWith('--')) ?? standard
  const secret = settings.adminClientSecret
  const server = await compose({ ...settings, services: undefined }, { share: true })
  const identity = client(identityContract, await server.fetchAsService())
  const made = await identity
    .administrationClient({
      params: { client: name },
      body: { enabled, ...(secret !== undefined && { secret }) },
    })
    .finally(() => server.close())
  if (!enabled) {
    say(`${name} is off; its tokens are dead.`)
    return
  }
  say(`${name} may administer every realm. Keep its secret as you keep the database:`)
  say(secret === undefined ? `  ${made.clientSecret ?? ''}` : '  the one in ADMIN_CLIENT_SECRET')
})

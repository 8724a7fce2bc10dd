import { client } from '@longreach/kit/client'
import { platformContract } from '@longreach/platform/contract'
import { compose } from './compose.ts'
import { program, say } from './run.ts'

// Makes a new key for signing agent updates, endorsed by the present one, so that gateways accept
// it.
program(async (settings) => {
  const server = await compose({ ...settings, services: undefined }, { share: true })
  const platform = client(platformContract, await server.fetchAsService())
  const { publicKey } = await platform.rotateReleaseKey({ body: {} })
  await server.close()
  say(`New release key ${publicKey}.`)
  say('Gateways learn it when they next say how they are, also those that are away now.')
})

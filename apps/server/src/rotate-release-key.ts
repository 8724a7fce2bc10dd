import { client } from '@longreach/kit/client'
import { platformContract } from '@longreach/platform/contract'
import { compose } from './compose.ts'
import { program, say } from './run.ts'

// A new key that signs the agents' updates, signed by the present one; gateways take it over by themselves.
program(async (settings) => {
  const server = await compose({ ...settings, services: undefined }, { share: true })
  const platform = client(platformContract, await server.fetchAsService())
  const { publicKey } = await platform.rotateReleaseKey({ body: {} })
  await server.close()
  say(`New release key ${publicKey}.`)
  say('Gateways learn it when they next say how they are, also those that are away now.')
})

import { client } from '@longreach/kit/client'
import { platformContract } from '@longreach/platform/contract'
import { compose } from './compose.ts'
import { program, say } from './run.ts'

// Makes a new certificate authority for devices; certificates of the old one stay valid until they
// expire. A running server learns of it by an event.
program(async (settings) => {
  const server = await compose({ ...settings, services: undefined }, { share: true })
  const platform = client(platformContract, await server.fetchAsService())
  const { id, notAfter, stillTrusted } = await platform.rotateAuthority({ body: {} })
  await server.close()
  say(`New authority ${id}, good until ${notAfter}; ${stillTrusted} earlier ones stay trusted.`)
  say('Devices get new certificates at their next start.')
})

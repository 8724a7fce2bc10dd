import { auditContract } from '@longreach/audit/contract'
import { client } from '@longreach/kit/client'
import { compose } from './compose.ts'
import { program, say } from './run.ts'

// Checks the whole audit trail: prints the first entry that was changed, with exit code 1. It may
// run beside a server.
program(async (settings) => {
  const server = await compose({ ...settings, services: undefined }, { share: true })
  const audit = client(auditContract, await server.fetchAsService())
  const { lines, links, fault } = await audit.report({})
  await server.close()
  if (fault === null) {
    say(`The audit trail is intact: ${lines} lines, ${links} links.`)
    return
  }
  const when = fault.at === null ? '' : `, of ${fault.at.toISOString()}`
  say(`The audit trail is broken (${fault.kind}): ${fault.message}${when}.`)
  process.exitCode = 1
})

import { auditContract } from '@longreach/audit/contract'
import { client } from '@longreach/kit/client'
import { compose } from './compose.ts'
import { program, say } from './run.ts'

// Check the whole audit trail: the first line that is not as it was written, and exit code 1.
// Also beside a running server.
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

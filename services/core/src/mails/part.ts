import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { mailsContract } from './contract.ts'
import { mailHandlers } from './mail-handlers.ts'

export const mails = definePart<CoreDeps>()({
  name: 'mails',
  contract: mailsContract,
  handlers: mailHandlers,
})

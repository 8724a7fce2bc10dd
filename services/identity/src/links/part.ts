import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { pages } from '../pages/part.ts'
import { mail } from '../mail/part.ts'
import { accounts } from '../accounts/part.ts'
import { realms } from '../realms/part.ts'
import { sessions } from '../sessions/part.ts'
import { passwords } from '../passwords/part.ts'
import { signIn } from '../sign-in/part.ts'
import { account } from '../account/part.ts'
import { startMailSender } from '../mail/mail-sender.ts'
import { linksContract } from './contract.ts'
import { linkHandlers } from './link-handlers.ts'
import { answerPasswordRequests } from './password-requests.ts'

export const links = definePart<IdentityDeps>()({
  name: 'links',
  contract: linksContract,
  uses: [pages, mail, accounts, realms, sessions, passwords, signIn, account],
  handlers: linkHandlers,
  start: (deps) => startMailSender(deps, () => answerPasswordRequests(deps)),
})

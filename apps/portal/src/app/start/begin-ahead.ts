import { reportProblem } from '../../parts/api/problems.ts'
import type { Language } from '../../parts/words/locale-rules.ts'
import type { Identity } from '../session/identity.ts'
import { withoutOrganization } from '../sign-in/selection-rules.ts'

/** Calls on their way for an organization, and the person's language there. */
type Begun = { org: string; language: Promise<Language> }

/**
 * Calls of the page, started while the organizations are fetched; none where the token grants nothing in
 * the organization. A failure here stops nothing: the page makes the same calls again.
 */
export async function beginAhead(
  { keycloak }: Pick<Identity, 'keycloak'>,
  org: string,
  path: string,
): Promise<Begun | undefined> {
  const at = withoutOrganization(path, location.origin)
  if (at !== path) return undefined
  try {
    const { askAhead } = await import('./ahead.ts')
    return askAhead(at, { org, claims: keycloak.tokenParsed })
  } catch (cause) {
    reportProblem('The calls of the page could not be started early', cause)
    return undefined
  }
}

/** Language of the person, where it was asked for in this organization already. */
export const languageAhead = (begun: Begun | undefined, org: string) =>
  begun?.org === org ? begun.language : undefined

const limitMs = 10_000

/**
 * Identity's answer to a sign-in address with `prompt=none`, as text of a query with code and state;
 * undefined where a person has to sign in.
 */
export async function silentAnswer(address: string): Promise<string | undefined> {
  const asked = new URL(address)
  // An address that a call was led to has no fragment.
  asked.searchParams.set('response_mode', 'query')
  const answer = await fetch(asked, { signal: AbortSignal.timeout(limitMs) })
  const told = new URL(answer.url).searchParams
  const isOurs = told.has('code') && told.get('state') === asked.searchParams.get('state')
  return isOurs ? told.toString() : undefined
}

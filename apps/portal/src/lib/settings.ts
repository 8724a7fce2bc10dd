/** What the operator of an installation may set for the portal, served beside it as `/portal-settings.json`. */
export type Settings = {
  /** Base address of a host with words that replace or add to the built-in ones. */
  i18nHost?: string
}

let settings: Promise<Settings> | undefined

/** The installation's settings; none when there is no such file. Asked for once. */
export const portalSettings = () => (settings ??= readSettings())

async function readSettings(): Promise<Settings> {
  try {
    const answer = await fetch('/portal-settings.json', { signal: AbortSignal.timeout(5_000) })
    const json = answer.headers.get('content-type')?.includes('json') === true
    return answer.ok && json ? ((await answer.json()) as Settings) : {} // read field by field with checks
  } catch {
    return {} // built-in words are complete
  }
}

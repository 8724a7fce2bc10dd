import { earlyCalls } from '../../parts/api/early-calls.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import { chooseStartPage, startPageOf, startPageService } from '../../parts/look/start-page.ts'

let coming: Promise<void> | undefined

/** The start page of the person in the organization, fetched once: before home is looked for, else after the page has drawn. */
export function keptStartPage(org: string) {
  coming ??= fetchStartPage(org)
  return coming
}

/** Applies the saved start page; a failed call is only reported, so that people can work. */
async function fetchStartPage(org: string) {
  try {
    const query = { serviceName: startPageService }
    const [kept] = await earlyCalls.userPreferences({ params: { org }, query })
    chooseStartPage(startPageOf(kept?.value))
  } catch (cause) {
    reportProblem('The start page could not be fetched', cause)
  }
}

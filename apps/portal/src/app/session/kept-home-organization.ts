import { earlyCalls } from '../../parts/api/early-calls.ts'
import { homeProperty } from '../../parts/organizations/home-organization.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import {
  enterHomeOrganization,
  isSelector,
  type Question,
  type Selection,
} from '../sign-in/selection-rules.ts'

/** Selection for a navigation; instead of asking the person to choose, their home organization. */
export async function applyHomeOrganization(
  found: Selection,
  question: Question,
): Promise<Selection> {
  if (found.kind !== 'choose' || isSelector(question)) return found
  return enterHomeOrganization(found, question.own, await fetchHomeOrganization())
}

/** Saved home organization; undefined if the call fails: then the person chooses. */
async function fetchHomeOrganization() {
  try {
    return await earlyCalls.property({ params: homeProperty })
  } catch (cause) {
    reportProblem('The home organization could not be fetched', cause)
    return undefined
  }
}

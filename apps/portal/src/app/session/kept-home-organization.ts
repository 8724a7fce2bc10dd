import { door } from '../../parts/api/door-calls.ts'
import { homeProperty } from '../../parts/organizations/home-organization.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import {
  homeInstead,
  isSelector,
  type Question,
  type Selection,
} from '../sign-in/selection-rules.ts'

/** Selection for a navigation; instead of asking the person to choose, their home organization. */
export async function throughHome(found: Selection, question: Question): Promise<Selection> {
  if (found.kind !== 'choose' || isSelector(question)) return found
  return homeInstead(found, question.own, await fetched())
}

/** Saved home organization; undefined if the call fails: then the person chooses. */
async function fetched() {
  try {
    return await door.property({ params: homeProperty })
  } catch (cause) {
    reportProblem('The home organization could not be fetched', cause)
    return undefined
  }
}

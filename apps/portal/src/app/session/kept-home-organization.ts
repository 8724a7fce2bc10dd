import { door } from '../../parts/api/door-calls.ts'
import { homeProperty } from '../../parts/organizations/home-organization.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import {
  homeInstead,
  isSelector,
  type Question,
  type Selection,
} from '../sign-in/selection-rules.ts'

/** What was found for a navigation, or the person's home organization where they would be asked for one. */
export async function throughHome(found: Selection, question: Question): Promise<Selection> {
  if (found.kind !== 'choose' || isSelector(question)) return found
  return homeInstead(found, question.own, await fetched())
}

/** That it is not known lets the person choose. */
async function fetched() {
  try {
    return await door.property({ params: homeProperty })
  } catch (cause) {
    reportProblem('The home organization could not be fetched', cause)
    return undefined
  }
}

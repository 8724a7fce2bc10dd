import { validateFormula } from '@longreach/formula/validate'
import type { Handlers } from '@longreach/kit/service'
import type { platformContract } from '../contract.ts'

/** Formulas judged by the same rules as in the editor. */
export const formulaHandlers = (): Pick<Handlers<typeof platformContract>, 'validateFormula'> => ({
  validateFormula: async ({ body: { formula, paths } }) =>
    validateFormula(formula.functions.formula.map, paths ? { paths } : {}),
})

import { useSession } from './session.ts'

/** The organization with all below it, as calls name it: what a person may see there counts, else the organization alone. */
export const useReach = () => `${useSession().organization.resourceId}.*`

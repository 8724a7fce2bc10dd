/** Property that keeps which organization opens after signing in, by resourceId; empty or absent: the person is asked. */
export const homeProperty = { user: 'mine', service: 'portal', property: 'homeOrganization' }

// The accessible names of another implementation, for comparison.
export { computeAccessibleName } from 'dom-accessibility-api'

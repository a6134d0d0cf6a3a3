/** The version of the service's interface that this program follows (doc 9). */
export const interfaceVersion = '4.0.3';

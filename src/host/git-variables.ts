/** With these Git looks for a repository elsewhere than in the folders above. */
export const repositoryVariables = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE'];

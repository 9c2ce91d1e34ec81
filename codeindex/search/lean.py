def agent_answer(answer):
    return answer.as_dict()

"""Vietnamese."""

from __future__ import annotations

from ..table import Table

TABLE = Table(
    name="Vietnamese",
    code="vi",
    shown_by="là|đáp|án|kết|quả|câu|trả|lời|đúng|vậy|tôi|chọn|không|của|có|được|và|cho|vì|do|đó|số|còn|lại|tổng|cộng|phương|nghĩ|suy|ra|như|những|một|hai|ba|bốn|xác|suất|này",
    decimal=",",
    answer="đáp án|đáp án cuối cùng|câu trả lời|kết quả|kết quả cuối cùng|đáp số|lời giải|answer|final answer",
    options="phương án|lựa chọn|ý|câu|bài toán|bài|câu hỏi",
    right="đúng|chính xác|đúng nhất",
    is_="là|bằng|sẽ là|chính là|được",
    choose="tôi chọn|ta chọn|mình chọn|em chọn|chúng ta chọn|lựa chọn của tôi là|chọn",
    fill="vậy|vì vậy|vì thế|do đó|do vậy|như vậy|suy ra|tóm lại|cuối cùng|tổng cộng|tổng|tất cả|của|tôi|chúng ta|ta|thì|đó|này|rằng|tôi nghĩ|tôi nghĩ rằng|tôi tin rằng"
    "|tôi tin|tôi cho rằng|tôi chắc chắn rằng|tôi chắc chắn|ta có thể kết luận rằng|có thể kết luận rằng|ta kết luận|kết luận|nên|và|ở|trong|số tiền|xác suất|khoảng"
    "|đã|sẽ|cần tìm|cho|nhé|ạ|thấy",
    verbs="còn lại|còn|có|đi được|chi|mua|bán|trả|nhận|nhận được|kiếm được|cần|nặng|dài|mất|ta được|thu được|ta có|được tất cả|giá|ăn|tiết kiệm|tiết kiệm được",
    denied="không|không phải|không phải là|chẳng|chưa|sai|sai lầm|nhầm lẫn|loại|loại bỏ|ta loại|trừ|ngoại trừ|vô lý|không thể|không ai|không có|không đúng",
    doubted="có lẽ|có thể|có thể là|nghi ngờ|tôi nghi ngờ|chắc|chắc là|hình như|dường như|không biết|không chắc|không nghĩ|e rằng|có vẻ",
    offered="hoặc|hoặc là|hay|hay là|hoặc có lẽ|giữa",
    supposed="nếu|giả sử|giả sử như|trong trường hợp|cho rằng nếu|khi",
    reported="nói|nói rằng|theo|cho biết|khẳng định|đã chọn|trả lời rằng|nhiều người|một số người|bảo|bảo rằng|nghĩ rằng|anh ấy|cô ấy|bạn ấy|ban đầu|lúc đầu",
    bounded="ít nhất|nhiều nhất|tối thiểu|tối đa|hơn|lớn hơn|nhỏ hơn|ít hơn|nhiều hơn|gần|gần bằng|gấp|gấp đôi|gấp ba|một nửa|nửa|trên|dưới|đến|bội|lần|trở lên|trở xuống|nằm giữa|chưa tới",
    asked="có phải|có phải là|phải không|à|bao nhiêu|gì|nào|mấy",
    instead="mà là|mà phải là",
    turns="nhưng|tuy nhiên|song|mặc dù",
    because="vì|bởi vì|do|bởi",
    retracting="xin lỗi|tôi nhầm|tôi đã nhầm|không, khoan đã|khoan đã|khoan|đính chính|sửa lại|à không",
    numbers="không=0|một=1|mốt=1|hai=2|ba=3|bốn=4|tư=4|năm=5|lăm=5|sáu=6|bảy=7|tám=8|chín=9|mười=10|mươi=*10|trăm=*100|nghìn=*1000|ngàn=*1000|triệu=*1000000|tỷ=*1000000000|tỉ=*1000000000",
    joining="linh|lẻ",
    minus="âm|trừ",
    over="phần",
    units="đồng=₫|đô la=$|km=km|m=m|cm=cm|kg=kg|giờ=h|phút=min|%=%|độ=°",
    clock=(r"(?P<h>\d{1,2}) giờ(?: (?P<m>\d{1,2}) phút| (?P<half>rưỡi))?(?P<pm> (?:chiều|tối))?(?!\w)",),
    refusals="xin lỗi, nhưng tôi không thể|xin lỗi, tôi không thể|tôi không thể giúp|tôi từ chối|tôi không thể cung cấp",
)
